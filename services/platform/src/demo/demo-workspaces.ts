import type { SeededRoleKey } from '../identity/roles/seeded-roles.ts';

/** User of a demo workspace. The IDs are constant, so that demo data of other services can refer to them. */
export interface DemoUser {
  id: string;
  role: SeededRoleKey;
  name: string;
  email: string;
}

/** Demo team. */
interface DemoTeam {
  id: string;
  name: string;
  description: string;
  member_ids: string[];
}

export interface DemoWorkspace {
  id: string;
  name: string;
  slug: string;
  plan: string;
  timezone: string;
  currency: string;
  country: string;
  fiscal_year_start: string;
  /** The letterhead. */
  letterhead: { address: string; tax_number: string; letter_footer: string };
  teams: DemoTeam[];
  /** Users of the workspace. The owner is first. */
  users: [DemoUser, ...DemoUser[]];
}

const id = (number: number): string => `01930000-0000-7000-8000-${String(number).padStart(12, '0')}`;

const user = (number: number, role: SeededRoleKey, name: string, email: string): DemoUser => ({
  id: id(number),
  role,
  name,
  email,
});

/** Trading company with a user in every role, and a second workspace that shows their isolation. */
export const DEMO_WORKSPACES: DemoWorkspace[] = [
  {
    id: id(1),
    name: 'Northwind Trading',
    slug: 'northwind-trading',
    plan: 'enterprise',
    timezone: 'Europe/Berlin',
    currency: 'EUR',
    country: 'DE',
    fiscal_year_start: '01-01',
    letterhead: {
      address: 'Northwind Trading GmbH\nHafenstraße 12\n20457 Hamburg\nGermany',
      tax_number: 'DE 123 456 789',
      letter_footer: 'Example Bank · IBAN DE02 1203 0000 0000 2020 51 · Please name the number of the document.',
    },
    teams: [
      { id: id(31), name: 'Sales', description: 'Leads, deals and orders.', member_ids: [id(12), id(14)] },
      {
        id: id(32),
        name: 'Back office',
        description: 'Books, people and support.',
        member_ids: [13, 15, 16, 17].map(id),
      },
    ],
    users: [
      user(11, 'owner', 'Olivia Hart', 'owner@demo.test'),
      user(12, 'manager', 'Marcus Lind', 'manager@demo.test'),
      user(13, 'accountant', 'Aiko Tanaka', 'accountant@demo.test'),
      user(14, 'sales', 'Sofia Rossi', 'sales@demo.test'),
      user(15, 'hr', 'Hannah Weiss', 'hr@demo.test'),
      user(16, 'agent', 'Arjun Patel', 'agent@demo.test'),
      user(17, 'staff', 'Sam Okafor', 'staff@demo.test'),
      user(18, 'client', 'Clara Jensen', 'client@demo.test'),
      user(19, 'vendor', 'Victor Dubois', 'vendor@demo.test'),
      user(20, 'payroll', 'Paula Novak', 'payroll@demo.test'),
    ],
  },
  {
    id: id(2),
    name: 'Globex',
    slug: 'globex',
    plan: 'business',
    timezone: 'America/New_York',
    currency: 'USD',
    country: 'US',
    fiscal_year_start: '07-01',
    letterhead: {
      address: 'Globex Corporation\n42 Cypress Creek Road\nSpringfield, OR 97477\nUnited States',
      tax_number: '12-3456789',
      letter_footer: 'Thank you for your business.',
    },
    teams: [],
    users: [
      user(21, 'owner', 'Gloria Banks', 'owner@globex.test'),
      user(24, 'sales', 'Steve Romero', 'sales@globex.test'),
      user(27, 'staff', 'Stella Kim', 'staff@globex.test'),
      user(28, 'client', 'Colin Marsh', 'client@globex.test'),
    ],
  },
];

/** Monthly demo prices of plans: public, and wholesale for partners. */
export const DEMO_PRICES = [
  { code: 'starter', currency: 'EUR', amount: '15.00', wholesale_amount: '9.00' },
  { code: 'starter', currency: 'USD', amount: '17.00', wholesale_amount: '10.00' },
  { code: 'business', currency: 'EUR', amount: '49.00', wholesale_amount: '35.00' },
  { code: 'business', currency: 'USD', amount: '55.00', wholesale_amount: '39.00' },
];
