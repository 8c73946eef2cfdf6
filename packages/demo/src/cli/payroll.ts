/** Pays the people of the demo through the gateway, as a payroll clerk and the owner do it. */
import { runDemo } from '../program.ts';
import { payPeople } from '../trade/paying.ts';
import { throughGateway } from '../trade/through-gateway.ts';

export const makeDemo = throughGateway(async ({ users, signIn, signInOwner }) => {
  const clerk = users.find(({ role }) => role === 'payroll');
  if (!clerk) return;
  const owner = await signInOwner();
  await payPeople(owner.inLine('payroll'), await signIn(clerk));
}, 'The people of the demo are paid.');

if (import.meta.main) await runDemo(makeDemo);
