import { actionConformance } from '@suite/testing';
import { createOneOfEach } from '../test/create-one-of-each.ts';
import { openCrm } from '../test/fixture.ts';
import { crm } from './crm.ts';

const { serving, shop: openShop } = await openCrm();
const shop = await openShop();
await createOneOfEach(shop);

actionConformance({ contents: crm, serving, ...shop });
