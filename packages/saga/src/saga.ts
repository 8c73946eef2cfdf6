/**
 * The public exports for sagas. `remoteSteps` declares a step, and a schedule with `sweeper` finishes open attempts.
 */
export { type Attempt, type StepTable, stepTable } from './attempts.ts';
export { remoteSteps } from './remote-step.ts';
export { sweeper } from './sweeper.ts';
