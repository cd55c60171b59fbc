/** The load: what would be sent to a target, and sending it. */
export { describePlan } from './plan/describe.ts';
export { type PlanInput, planLoad } from './plan/index.ts';
export { arrangedAfter } from './plan/lay-out.ts';
export { repeatOf } from './plan/repeat.ts';
export type { LoadPlan, PlannedProbe, ScheduleEntry, Unobservable } from './plan/types.ts';
export { type LoadInput, runLoad } from './run.ts';
