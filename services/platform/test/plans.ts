/** For tests: plans with prices, including one that instances sell at its wholesale price. */
import type { ServiceUnderTest } from '@suite/testing';

const PRICES = [
  ['starter', 'EUR', 'month', '15.00', '9.00'],
  ['business', 'EUR', 'month', '35.00', '35.00'],
  ['business', 'EUR', 'year', '350.00', '350.00'],
  ['retired', 'EUR', 'month', '35.00', '35.00'],
] as const;

/**
 * Adds prices in euros to the plans. `starter` costs 15.00 a month, and 9.00 wholesale. `business` costs 35.00 a month
 * or 350.00 a year, with 50 users and a trial of 14 days. `retired` is no longer sold.
 */
export async function sellPlans(platform: ServiceUnderTest): Promise<void> {
  await platform.sql`
    INSERT INTO plans (code, name, description, modules, position, status) VALUES ('retired', 'Retired', '', '{crm}', 99, 'retired')`;
  await platform.sql`UPDATE plans SET trial_days = 14, user_limit = 50 WHERE code = 'business'`;
  await platform.sql`UPDATE plans SET trial_days = 0, user_limit = 2 WHERE code = 'starter'`;
  await platform.sql`DELETE FROM prices`;
  for (const [plan, currency, interval, amount, wholesale] of PRICES) {
    await platform.sql`
      INSERT INTO prices (id, plan_code, currency, "interval", amount, wholesale_amount)
      VALUES (gen_random_uuid(), ${plan}, ${currency}, ${interval}, ${amount}, ${wholesale})`;
  }
}
