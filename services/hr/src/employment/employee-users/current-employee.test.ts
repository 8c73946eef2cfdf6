import { exclusionConformance } from '@suite/testing';
import { openHr } from '../../../test/fixture.ts';
import { hr } from '../../hr.ts';

const { serving, company } = await openHr();
const { workspace } = await company();

exclusionConformance({
  contents: hr,
  serving,
  excluded: { workspace, modules: ['hrm'], can: [], kind: 'staff' },
  code: 'not_an_employee',
});
