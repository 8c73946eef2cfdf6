/** Seeded random data for the demo: the same people and deals on every machine. */
import { faker } from '@faker-js/faker/locale/en';

const DAY_MS = 86_400_000;

/** Starts a new random sequence. The demo of every workspace has its own seed. */
export const seedRandom = (seed: number): void => void faker.seed(seed);

/** Returns true with the given probability (0 to 1). */
export const isChosen = (probability: number): boolean => faker.datatype.boolean({ probability });

export const pickOne = <T>(choices: readonly T[]): T => faker.helpers.arrayElement(choices);

/** Returns a random choice by weight: `weighted([[3, 'often'], [1, 'seldom']])`. */
export const pickWeighted = <T>(choices: readonly (readonly [number, T])[]): T =>
  faker.helpers.weightedArrayElement(choices.map(([weight, value]) => ({ weight, value })));

/** Returns some of the choices, each once. */
export const pickSome = <T>(choices: readonly T[], most: number): T[] =>
  faker.helpers.arrayElements(choices, { min: 0, max: Math.min(most, choices.length) });

export const randomNumber = (min: number, max: number, step = 1): number =>
  faker.number.int({ min, max, multipleOf: step });

/** Returns a time between two times, or the first if there is no time between. */
export const randomMoment = (from: Date, to: Date): Date => (from < to ? faker.date.between({ from, to }) : from);

export const daysFrom = (at: Date, days: number): Date => new Date(at.getTime() + days * DAY_MS);

/** Returns the calendar day of a timestamp in the form that Prisma accepts for a `date` column. */
export const dayOf = (at: Date): Date => new Date(`${at.toISOString().slice(0, 10)}T00:00:00Z`);

/** Returns a person and their company. Addresses end in `.example`, so that no message can reach anyone by mistake. */
export function randomContact() {
  const [first, last] = [faker.person.firstName(), faker.person.lastName()];
  const company = faker.company.name();
  const domain = `${faker.helpers
    .slugify(company.toLowerCase())
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')}.example`;
  return {
    name: `${first} ${last}`,
    company,
    email: `${`${first}.${last}`.toLowerCase().replaceAll(/[^a-z.]/g, '')}@${domain}`,
    website: `https://www.${domain}`,
    phone: faker.helpers.replaceSymbols('+49 30 23125 ###'),
    job_title: faker.person.jobTitle(),
    address: faker.helpers.replaceSymbols('192.0.2.1##'),
  };
}
