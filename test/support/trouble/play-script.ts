/** Plays a k6 script in a world without time, as k6 would run it: set up, one user, torn down. */
import type { VirtualK6 } from './virtual-k6.ts';
import { type VirtualTarget, World, type WorldTrouble } from './virtual-world.ts';

export interface Script {
  setup(): { readonly zeroWallMs: number };
  /** What its one user does. */
  act(): void | Promise<void>;
  teardown(prepared: { readonly zeroWallMs: number }): void;
}

/** The ledger, and how long it took on the world's clock. */
export async function playScript(
  script: Script,
  k6: VirtualK6,
  target: VirtualTarget,
  trouble: WorldTrouble,
): Promise<{ readonly ledger: string; readonly tookMs: number; readonly world: World }> {
  const world = new World(target, trouble);
  k6.enter(world, trouble);
  const { setTimeout: realTimeout } = globalThis;
  const { log: realLog } = console;
  console.log = k6.log;
  globalThis.setTimeout = k6.setTimeout as typeof setTimeout;
  try {
    const run = async () => {
      const prepared = script.setup();
      await script.act();
      script.teardown(prepared);
    };
    const ledger = await k6.ledger(run, trouble);
    return { ledger, tookMs: world.nowMs, world };
  } finally {
    globalThis.setTimeout = realTimeout;
    console.log = realLog;
  }
}
