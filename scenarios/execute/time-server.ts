/** The clock that several runners have in common: asked over HTTP, so that it may be another machine's. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';

/** Since 1970, with fractions. */
export const timeMs = (): number => performance.timeOrigin + performance.now();

/** On a free port of this machine. */
export async function serveTime(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((_request, response) => void response.end(String(timeMs())));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}/`, close };
}
