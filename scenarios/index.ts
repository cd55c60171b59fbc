/** The load: what would be sent to a target, and sending it. */
export { executeProbe, sendingFor } from './execute/index.ts';
export { scriptParameters, scriptsFolder } from './execute/script.ts';
export { canBeParted } from './kinds/index.ts';
export { describePlan } from './plan/describe.ts';
export { type PlanInput, planLoad } from './plan/index.ts';
export { arrangedAfter } from './plan/lay-out.ts';
export { repeatOf } from './plan/repeat.ts';
export type { LoadPlan, PlannedProbe, ScheduleEntry, Unobservable } from './plan/types.ts';
export type { Probe } from './probe.ts';
export { analyse } from './run/analyse.ts';
export { type LoadInput, runLoad } from './run.ts';
