/**
 * What a contract check is: a declaration (its id, its requirement, its level, what it needs) and a function that sends
 * requests to a target and records what it saw. It never judges: verdicts are derived from its facts elsewhere.
 */
import { clauseById } from '../schemas/clauses/index.ts';
import { type InterfaceId, operations } from '../schemas/operations.ts';
import type { CheckDeclaration, Level } from '../schemas/verdicts.ts';
import type { CheckContext } from './context.ts';

/**
 * What must be there for a check to run at all. `dedicated`: an endpoint without other users · `broke-key`: a key
 * without balance · `other-key`: a good key of another account · `jobs-key`: interface B requires one · `two-endpoints`
 * · `patience`: minutes of waiting, which only the nightly profile has on a real clock.
 */
export type Need = 'dedicated' | 'broke-key' | 'two-endpoints' | 'patience' | 'jobs-key' | 'other-key';

export interface CheckDefinition {
  readonly id: string;
  readonly title: string;
  readonly clauses: readonly string[];
  /** Where it isn't the strongest level of the clauses; `because` then says why. */
  readonly level?: Level;
  readonly because?: string;
  readonly needs?: readonly Need[];
  /** Runs while no other check does, because others would disturb it or it them. */
  readonly alone?: boolean;
  /**
   * Among those that run alone, before all others: jobs of others would hide what it is about, or what it spends of a
   * tiny limit has left its window at the end. The jobs of others wait until it lets them (`Target.crowd`), or is over.
   */
  readonly first?: boolean;
  /** Of those that run side by side, before others: it keeps workers busy, and would wait for them behind others. */
  readonly early?: boolean;
  /** Runs after all others, since it checks the responses that they got, or may break what they need. */
  readonly last?: boolean;
  /** It rests on a wait of this name, long enough for the load to run during it. */
  readonly longWait?: string;
  /** Real time after which it is given up, ms. */
  readonly timeoutMs?: number;
  /** Sends requests and records what it sees; its return value is ignored. */
  readonly run: (t: CheckContext) => Promise<unknown>;
}

export interface Check extends CheckDefinition {
  readonly level: Level;
  readonly on: InterfaceId;
}

const STRENGTH: readonly Level[] = ['observed', 'convention', 'documented'];

/** The strongest level among clauses; `observed` where there is none. */
export function levelOf(clauseIds: readonly string[]): Level {
  const ranks = clauseIds.map((id) => STRENGTH.indexOf(clauseById(id)?.level ?? 'observed'));
  return STRENGTH[Math.max(0, ...ranks)] ?? 'observed';
}

/** By the first word of an id, which is an operation. Throws on another one. */
function interfaceOf(id: string): InterfaceId {
  const [first] = id.split('.');
  const found = operations.find((one) => one.id === first)?.interface;
  if (!found) throw new Error(`the check ${id} is named after no operation`);
  return found;
}

/** A check with what follows from its definition: its level is that of its strongest clause unless it says otherwise, and why. */
export function check(definition: CheckDefinition): Check {
  const { id, clauses, level = levelOf(clauses) } = definition;
  return { ...definition, level, on: interfaceOf(id) };
}

export function declarationOf({ id, title, clauses, level }: Check): CheckDeclaration {
  return { id, title, clauses, level };
}
