import { actionConformance } from '@suite/testing';
import { createOneOfEach } from '../test/create-one-of-each.ts';
import { openSupport } from '../test/fixture.ts';
import { support } from './support.ts';

const { serving, office: openOffice } = await openSupport();
const office = await openOffice();
await createOneOfEach(serving, office);

actionConformance({ contents: support, serving, ...office });
