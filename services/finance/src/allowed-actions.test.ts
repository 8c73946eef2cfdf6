import { actionConformance } from '@suite/testing';
import { createOneOfEach } from '../test/create-one-of-each.ts';
import { openFinance } from '../test/fixture.ts';
import { finance } from './finance.ts';

const fixture = await openFinance();
const company = await fixture.company();
await createOneOfEach(company, fixture);

// A payment that was partly refunded cannot be reversed before the refund.
actionConformance({ contents: finance, serving: fixture.serving, ...company, other_records: ['payment_refunded'] });
