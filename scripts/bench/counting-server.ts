/**
 * The server that load quality is measured by: it answers everything at once and writes down when each request came, in
 * a process of its own, so that neither k6 nor the measuring program holds it up. Talks to its parent by messages: says
 * where it listens, and on request what has come since it was asked last.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { wallOffset } from './wall-clock.ts';

const offset = wallOffset();
const body = JSON.stringify({ id: '01234567-89ab-cdef-0123-456789abcdef', status: 'COMPLETED', output: 1, jobs: {} });
const head = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
let arrivals: [operation: string, wallMs: number][] = [];

const server = createServer({ keepAliveTimeout: 75_000 }, (incoming, outgoing) => {
  const wallMs = offset + performance.now();
  arrivals.push([incoming.url?.split('/')[5] ?? '', wallMs]);
  incoming.resume();
  outgoing.writeHead(200, head).end(body);
});

server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ url: `http://127.0.0.1:${port}` });
});
process.on('message', () => {
  process.send?.({ arrivals });
  arrivals = [];
});
process.once('disconnect', () => process.exit(0));
