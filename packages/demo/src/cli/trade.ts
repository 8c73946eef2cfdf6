/** Lets the demo's owners trade through the gateway: quotes, orders, proposals, invoices, payments and returns. */
import { beginWith } from '../chance.ts';
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
  // Chance decides on everything first, in one go: so it does not matter what is done beside what.
  beginWith(seed);
  const invoice = decideInvoices(context, extent);
  const sell = decideSales(context, rounds);
  const spend = decideExpenses(context, projects);
  const { posted, settled } = invoice();
  // Expenses have numbers, too: those of purchases come first.
  await Promise.all([sell(posted), settled.then(spend)]);
  await billProject(context);
}

export const makeDemo = throughGateway(trade, 'The demo has bought and sold.');

if (import.meta.main) await runDemo(makeDemo);
