/** What the auditor checks: each service's own rules, and what two services must agree about. */
import type { Agreement, Check } from '@suite/auditor';
import { checks as crm } from '@suite/crm/audit';
import { CHECKS as finance } from '@suite/finance/audit';
import { checks as inventory } from '@suite/inventory/audit';

export const rules: Readonly<Record<'crm' | 'finance' | 'inventory', readonly Check[]>> = { crm, finance, inventory };

export const agreements: readonly Agreement[] = [];
