/** Pays the people of the demo through the gateway, as a payroll clerk and the owner do it. */
import { payPeople } from '../trade/paying.ts';
import { throughGateway } from '../trade/through-gateway.ts';

await throughGateway(async ({ users, signIn, signInOwner }) => {
  const clerk = users.find(({ role }) => role === 'payroll');
  if (!clerk) return;
  const owner = await signInOwner();
  await payPeople(owner.inLine('payroll'), await signIn(clerk));
}, 'The people of the demo are paid.');
