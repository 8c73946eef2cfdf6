/** Public exports for the demos of services. */
export {
  beginWith,
  contact,
  dayOf,
  daysFrom,
  happens,
  momentBetween,
  randomNumber,
  oneOf,
  someOf,
  weighted,
} from './chance.ts';
export { type DemoUser, type DemoWorkspace, readDemoFile } from './demo-file.ts';
export { demoOf, runDemo } from './program.ts';
export { insertRows, withIds } from './rows.ts';
