/** Bytes on a socket and the response to them, with no client in between that would mend or refuse anything. */
import { connect } from 'node:net';

export interface Heard {
  /** All received data, one character for each byte. */
  readonly text: string;
  /** Of every answer in it, in their order. */
  readonly statuses: readonly number[];
  /** Whether the other side ended the connection. */
  readonly closed: boolean;
}

export interface Say {
  /** Disconnects as soon as the responses look like this. */
  readonly until?: RegExp;
  /** Disconnects after so long without data, milliseconds. */
  readonly idleMs?: number;
}

/** Writes the pieces one after the other, then listens. */
export function say(port: number, pieces: readonly (string | Uint8Array)[], options: Say = {}): Promise<Heard> {
  const { until, idleMs = 5000 } = options;
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    let closed = false;
    socket.setTimeout(idleMs, () => socket.destroy());
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1');
      if (until?.test(text)) socket.destroy();
    });
    socket.on('end', () => {
      closed = true;
    });
    // A reset is one way to close a connection; data received before it counts.
    socket.on('error', () => {
      closed = true;
    });
    socket.on('close', () => {
      const statuses = [...text.matchAll(/(?:^|\r\n|[}\]"])HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
      resolve({ text, statuses, closed });
    });
    for (const piece of pieces) socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
  });
}

/** The body of the last answer. */
export function lastBody(heard: Heard): string {
  return heard.text.slice(heard.text.lastIndexOf('\r\n\r\n') + 4);
}
