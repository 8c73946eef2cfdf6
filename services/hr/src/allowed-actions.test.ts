import { randomUUID } from 'node:crypto';
import { actionConformance } from '@suite/testing';
import { createOneOfEach } from '../test/create-one-of-each.ts';
import { openHr } from '../test/fixture.ts';
import { hr } from './hr.ts';

const { serving, company: openCompany } = await openHr();
const company = await openCompany();
await createOneOfEach(company, serving, randomUUID());

actionConformance({ contents: hr, serving, ...company });
