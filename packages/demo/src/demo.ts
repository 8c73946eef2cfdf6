/** Public exports for the demos of services. */
export {
  seedRandom,
  randomContact,
  dayOf,
  daysFrom,
  isChosen,
  randomMoment,
  randomNumber,
  pickOne,
  pickSome,
  pickWeighted,
} from './random.ts';
export { type DemoUser, type DemoWorkspace, readDemoFile } from './demo-file.ts';
export { demoProgram, runDemo } from './program.ts';
export { insertRows, withIds } from './rows.ts';
