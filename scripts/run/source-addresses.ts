/** Addresses of this machine that runners can send from, so that a target on it sees as many clients. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { TargetConfig } from '../../schemas/target.ts';

/** Beside 127.0.0.1, where the system takes all of 127.0.0.0/8 for its own. */
const FIRST = 2;
const MOST = 250;

/**
 * One for each runner; none where it is one runner, or where the target can't be reached from them, as one on another
 * machine: it would see this machine as one.
 */
export async function sourceAddresses(runners: number, target: TargetConfig): Promise<readonly string[]> {
  const urls = [target.baseUrl, target.jobBaseUrl].filter((url) => url !== null).map((url) => new URL(url));
  if (runners < 2 || runners > MOST || !urls.every(isLoopback)) return [];
  const all = Array.from({ length: runners }, (_, index) => `127.0.0.${FIRST + index}`);
  const reached = await Promise.all(urls.flatMap((url) => all.map((address) => reaches(url, address))));
  return reached.every(Boolean) ? all : [];
}

const isLoopback = ({ hostname }: URL): boolean => /^127(\.\d+){3}$/.test(hostname) || hostname === 'localhost';

async function reaches({ hostname, port, protocol }: URL, localAddress: string): Promise<boolean> {
  const socket = connect({
    host: hostname,
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    family: 4,
    localAddress,
  });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
