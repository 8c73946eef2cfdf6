import { run } from '@suite/chassis/service';
import { notebook } from '../src/notebook.ts';
import * as outcomes from './fixtures/outcomes.ts';
import { testServiceOf } from './fixtures/trial.ts';

await run(testServiceOf(outcomes, notebook.operations));
