/** Tells from the growing ledger of a k6 script when its preparation is over, so that what it used can be given back. */

/** Calls `begun` at the first entry of another phase than `setup`; the lines that are no entries are marks and jobs. */
export function onceBegun(begun: () => void): (line: string) => void {
  let told = false;
  return (line) => {
    if (told || !line.startsWith('["') || line.startsWith('["setup"')) return;
    told = true;
    begun();
  };
}
