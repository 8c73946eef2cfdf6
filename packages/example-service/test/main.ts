import { run } from '@suite/chassis/service';
import { notebook } from '../src/notebook.ts';
import * as outcomes from './fixtures/outcomes.ts';
import { trialOf } from './fixtures/trial.ts';

await run(trialOf(outcomes, notebook.operations));
