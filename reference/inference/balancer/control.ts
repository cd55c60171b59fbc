/**
 * The switches of the reference itself: which instances there are, and making one fail, so that failover can be tried
 * from outside.
 *
 *     GET  /_reference/instances              200 {"instances":[{"name","state","in_flight"}, …]}
 *     POST /_reference/instances/{name}/fail  200 {"name","state","in_flight"}, 404 {"error"} for an unknown name
 *
 * Off by default: the documented service has no such paths and asks for a key everywhere, and whoever reaches these
 * without one could take the service down. Where they are off they are as unknown as any other path.
 */
import { jobError, methodNotAllowed, notFound } from '../../errors.ts';
import { json, type Reply } from '../../reply.ts';
import type { InstanceRecord, Instances } from './balancer.ts';

const PREFIX = '/_reference/';
const ALL = '/_reference/instances';
const FAIL = /^\/_reference\/instances\/([^/]+)\/fail$/;

const shown = ({ name, state, inFlight }: InstanceRecord): object => ({ name, state, in_flight: inFlight });

/** The answer to a path of the reference itself, null for any other path. */
export function control(instances: Instances, method: string, path: string): Reply | null {
  if (!path.startsWith(PREFIX)) return null;
  const name = FAIL.exec(path)?.[1];
  if (path !== ALL && name === undefined) return notFound('jobs', method, path);
  const right = name === undefined ? 'GET' : 'POST';
  if (method !== right) return methodNotAllowed('jobs', method, path, [right]);
  if (name === undefined) return json(200, { instances: instances.list().map(shown) });
  const failed = instances.fail(name);
  return failed ? json(200, shown(failed)) : jobError(404, 'instance not found');
}
