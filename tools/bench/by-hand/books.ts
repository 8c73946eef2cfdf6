/** The common parts of the trade baselines: both databases, and sums of money. */
import { childSettings } from '../load/child-process.ts';
import { poolOf, type Settings as Who } from './program.ts';

export interface Settings extends Who {
  finance_url: string;
  inventory_url: string;
}

const { finance_url, inventory_url } = childSettings<Settings>();
export const [finance, inventory] = [poolOf(finance_url), poolOf(inventory_url)];

export const cents = (amount: string | number): number => Math.round(Number(amount) * 100);
export const money = (amount: number): string => (amount / 100).toFixed(2);
