/**
 * Creates the trade records of the demo through the gateway: quotes, orders, proposals, invoices, payments and returns.
 */
import { seedRandom } from '../random.ts';
import { runDemo } from '../program.ts';
import { readDemoContext } from '../trade/demo-context.ts';
import { decideInvoices } from '../trade/invoicing.ts';
import { billProject } from '../trade/project-billing.ts';
import { decideExpenses, readProjects } from '../trade/project-expenses.ts';
import { decideSales } from '../trade/selling.ts';
import { type OpenWorkspace, throughGateway } from '../trade/through-gateway.ts';

const LARGE = { seed: 31, rounds: 1, sales: 14, purchases: 5, days: 75 };
const SMALL = { seed: 32, rounds: 1, sales: 3, purchases: 1, days: 30 };

async function trade({ currency, signInOwner }: OpenWorkspace, index: number): Promise<void> {
  const { seed, rounds, ...extent } = index === 0 ? LARGE : SMALL;
  const context = await readDemoContext(await signInOwner(), currency);
  const projects = await readProjects(context);
  // Everything random is decided first, in one go, so the order of concurrent work does not matter.
  seedRandom(seed);
  const invoice = decideInvoices(context, extent);
  const sell = decideSales(context, rounds);
  const spend = decideExpenses(context, projects);
  const { posted, settled } = invoice();
  // Expenses have numbers too: the purchases get theirs first.
  await Promise.all([sell(posted), settled.then(spend)]);
  await billProject(context);
}

export const makeDemo = throughGateway(trade, 'Demo trade records created');

if (import.meta.main) await runDemo(makeDemo);
