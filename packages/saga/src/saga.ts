/** The front door of sagas: a step is declared with `remoteSteps`, and a schedule of `sweeper` finishes what was left open. */
export { type Attempt, type StepTable, stepTable } from './attempts.ts';
export { remoteSteps } from './remote-step.ts';
export { sweeper } from './sweeper.ts';
