/** Lets the demo's owners trade through the gateway: quotes, orders, proposals, invoices, payments and returns. */
import { readFileSync } from 'node:fs';
import { readSettings } from '@suite/chassis';
import { z } from 'zod';
import { beginWith } from '../chance.ts';
import { readDemoFile } from '../demo-file.ts';
import { tradeInvoices } from '../trade/invoicing.ts';
import { signIn } from '../trade/http-caller.ts';
import { payPeople } from '../trade/paying.ts';
import { readDemoContext } from '../trade/demo-context.ts';
import { billProject } from '../trade/project-billing.ts';
import { spendOnProjects } from '../trade/project-expenses.ts';
import { sell } from '../trade/selling.ts';

const LARGE = { seed: 31, rounds: 2, sales: 20, purchases: 6, days: 75 };
const SMALL = { seed: 32, rounds: 1, sales: 3, purchases: 1, days: 30 };

const settings = () =>
  readSettings({
    /** The file in which platform's demo has written the users. */
    DEMO_FILE: z.string().min(1),
    /** The address of the gateway. */
    HOST: z.string().default('127.0.0.1'),
    PORT: z.coerce.number().int().positive(),
  });

async function trade(): Promise<string> {
  const { DEMO_FILE, HOST, PORT } = settings();
  const { password } = z.object({ password: z.string() }).parse(JSON.parse(readFileSync(DEMO_FILE, 'utf8')));
  for (const [index, { users, currency, key }] of readDemoFile(DEMO_FILE).workspaces.entries()) {
    const { seed, rounds, ...extent } = index === 0 ? LARGE : SMALL;
    beginWith(seed);
    const { email } = users.find(({ kind }) => kind === 'owner') ?? users[0]!;
    const url = `http://${HOST}:${PORT}`;
    const context = await readDemoContext(await signIn(url, { email, password, key }), currency);
    await tradeInvoices(context, extent);
    await sell(context, rounds);
    await spendOnProjects(context);
    await billProject(context);
    const clerk = users.find(({ role }) => role === 'payroll');
    if (clerk) await payPeople(context, await signIn(url, { email: clerk.email, password }));
  }
  return 'The demo has bought and sold.';
}

try {
  process.stdout.write(`${await trade()}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
