/**
 * The public exports for sagas. `remoteSteps` declares a step, and a schedule with `undoSchedule` finishes open attempts.
 */
export { type Attempt, type StepTable, stepTable } from './attempts.ts';
export { remoteSteps } from './remote-step.ts';
export { undoSchedule } from './sweeper.ts';
