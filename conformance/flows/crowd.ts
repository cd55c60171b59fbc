/** Two hundred quick jobs, submitted and looked at at the same time, each with a word of its own. */
import type { CheckContext } from '../context.ts';
import { finish, type Seen, type Submitted, submit } from './submit.ts';

/** Enough that a service that loses one job in two hundred loses one of these. */
const CROWD = 200;

export interface Member {
  readonly word: string;
  readonly job: Submitted;
  readonly seen: Seen;
}

/** All of them at their end. The last is waited for first: the others have ended then, and one look at each will do. */
export function crowd(t: CheckContext): Promise<readonly Member[]> {
  const make = async (own: CheckContext): Promise<readonly Member[]> => {
    const words = Array.from({ length: CROWD }, () => own.word());
    const submitted = words.map((word) => submit(own, { echo: word }));
    const jobs = await Promise.all(submitted);
    const last = jobs.at(-1);
    if (last) await finish(own, last, 'finding');
    const seen = await Promise.all(jobs.map((job) => finish(own, job, 'finding')));
    return jobs.flatMap((job, index) => {
      const [word, end] = [words[index], seen[index]];
      return word === undefined || end === undefined ? [] : [{ word, job, seen: end }];
    });
  };
  return t.once('crowd', make);
}
