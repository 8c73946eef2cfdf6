/** Runs the payroll of the demo through the gateway, as a payroll user and the owner do. */
import { runDemo } from '../program.ts';
import { payPeople } from '../trade/paying.ts';
import { throughGateway } from '../trade/through-gateway.ts';

export const makeDemo = throughGateway(async ({ users, signIn, signInOwner }) => {
  const clerk = users.find(({ role }) => role === 'payroll');
  if (!clerk) return;
  const owner = await signInOwner();
  await payPeople(owner.withOwnQueue('payroll'), await signIn(clerk));
}, 'Demo payroll paid');

if (import.meta.main) await runDemo(makeDemo);
