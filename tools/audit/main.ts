/**
 * `npm run audit [-- --workspace <id>]`: checks from the databases alone that books balance, stock is correct and
 * numbers have no gap. Prints the violations, and exits with a non-zero code if there are any.
 */
import { parseArgs } from 'node:util';
import { audit, compare, type Databases, checkConsequenceTwice, checkConsequence } from '@suite/auditor';
import { orderAgreements, orderConsequences } from './order-rules.ts';
import { references } from './references.ts';
import { agreements, consequences, rules } from './rules.ts';

const { values } = parseArgs({ options: { workspace: { type: 'string' } } });
const services = Object.keys(rules) as (keyof typeof rules)[];
const databases: Databases = Object.fromEntries(
  services.map((service) => [service, process.env[`DATABASE_URL_${service.toUpperCase()}`] ?? '']),
);

const unknown = services.filter((service) => !databases[service]);
if (unknown.length > 0) {
  const variables = unknown.map((service) => `DATABASE_URL_${service.toUpperCase()}`).join(', ');
  console.error(`Start the suite first, or set the database addresses: ${variables}.`);
  process.exit(2);
}

const parts = [
  ...services.map(async (service) => {
    const checks = rules[service];
    const broken = await audit(String(databases[service]), checks, values.workspace);
    return { title: `${service}: ${checks.length} rules`, broken };
  }),
  ...consequences.map(async (consequence) => ({
    title: consequence.name,
    broken: await checkConsequence(databases, consequence, values.workspace),
  })),
  ...[...references, ...orderConsequences].map(async (reference) => ({
    title: reference.name,
    broken: await checkConsequenceTwice(databases, reference, values.workspace),
  })),
  ...[...agreements, ...orderAgreements].map(async (agreement) => ({
    title: agreement.name,
    broken: await compare(databases, agreement, values.workspace),
  })),
];
try {
  for (const { title, broken } of await Promise.all(parts)) {
    console.log(`${broken.length === 0 ? '✓' : '✗'} ${title}`);
    for (const { check, row } of broken) console.log(`    ${check}: ${JSON.stringify(row)}`);
    if (broken.length > 0) process.exitCode = 1;
  }
} catch (error) {
  console.error(`The audit failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 2;
}
