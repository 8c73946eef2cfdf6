/** Demo customers, vendors and bank accounts. */
import { randomContact, isChosen, randomNumber, pickOne } from '@suite/demo';
import { openBankAccount } from '../banking/banking/bank-account.ts';
import type { PartyKind } from '../parties/party-kind.ts';
import { createParty } from '../parties/party.ts';
import { daysAgo, type DemoContext } from './demo-context.ts';

const STREETS = ['Linden Road', 'Harbour Street', 'Mill Lane', 'Station Square', 'Garden Way', 'Market Street'];
const TOWNS = ['Leipzig', 'Utrecht', 'Graz', 'Lyon', 'Bologna', 'Porto', 'Malmö', 'Brno'];

const address = () => `${pickOne(STREETS)} ${randomNumber(1, 180)}\n${randomNumber(10_000, 99_999)} ${pickOne(TOWNS)}`;

/** Creates `count` customers or vendors, some with an opening balance. Returns their IDs. */
export async function addParties(context: DemoContext, kind: PartyKind, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const { name, company, email, phone } = randomContact();
    const billing_address = address();
    const opening = isChosen(0.2) && {
      opening_balance: `${randomNumber(120, 4_800)}.00`,
      opening_date: daysAgo(context, randomNumber(190, 240)),
    };
    const terms = {
      payment_terms_days: pickOne([14, 30, 30, 60]),
      ...(isChosen(0.3) && { credit_limit: `${randomNumber(5, 40)}000.00` }),
    };
    const tax_number = `DE${randomNumber(100_000_000, 999_999_999)}`;
    const facts = { name, company, email, phone, billing_address, tax_number, ...terms, ...opening };
    ids.push((await createParty(context.command, kind, facts)).id);
  }
  return ids;
}

/** Demo bank accounts: a business account, a savings account, and one in another currency. */
export interface DemoBanks {
  main: string;
  savings: string;
  foreign: string;
}

/** Returns a valid German IBAN that belongs to no account, because no bank code begins with 99. */
function iban(): string {
  const account = `${String(randomNumber(99_000_000, 99_999_999))}${String(randomNumber(1_000_000_000, 9_999_999_999))}`;
  const check = 98n - (BigInt(`${account}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${account}`;
}

export async function openBanks({ command, ...context }: DemoContext): Promise<DemoBanks> {
  const opening_date = daysAgo({ command, ...context }, 200);
  const holder = command.caller.user_name;
  const open = (
    account_name: string,
    opening_balance: string,
    more: { currency?: string; opening_rate?: string } = {},
  ) =>
    openBankAccount(command, {
      bank_name: 'Example Bank',
      account_name,
      account_number: iban(),
      holder,
      bic: 'EXMPDEFFXXX',
      opening_balance,
      opening_date,
      // Invoices in each currency print the first account in it.
      on_invoices: true,
      ...more,
    });
  const foreign = command.caller.currency === 'USD' ? 'GBP' : 'USD';
  return {
    main: await open('Business account', '48250.00'),
    savings: await open('Savings', '15000.00'),
    foreign: await open(`${foreign} account`, '6000.00', { currency: foreign, opening_rate: '0.92' }),
  };
}
