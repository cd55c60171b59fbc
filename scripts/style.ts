/** Colours for the roles of the final block, where the stream is a terminal that wants them. */
import pc from 'picocolors';
import type { Style } from '../reports/index.ts';

export function styleFor(stream: { readonly isTTY?: boolean }): Style {
  const colours = pc.createColors(Boolean(stream.isTTY) && pc.isColorSupported);
  return (role, text) => {
    switch (role) {
      case 'pass':
        return colours.green(text);
      case 'fail':
      case 'error':
        return colours.red(text);
      case 'inconclusive':
        return colours.yellow(text);
      case 'strong':
        return colours.bold(text);
      case 'dim':
        return colours.dim(text);
    }
  };
}
