/** Operations without a permission also follow the conventions. */
import { randomUUID } from 'node:crypto';
import { conformance, start } from '@suite/testing';
import { greet, whoAmI } from './fixtures/outcomes.ts';
import { testServiceOf } from './fixtures/trial.ts';

const contents = testServiceOf({ whoAmI, greet });
const serving = await start(contents);

conformance({ contents, serving, insider: { workspace: randomUUID() }, foreign_workspace: randomUUID() });
