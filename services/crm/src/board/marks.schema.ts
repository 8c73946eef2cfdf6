/** What a lead or a deal shows of its place. */
import { Id } from '@suite/chassis';
import { z } from 'zod';

export const StageMark = z
  .object({ id: Id, name: z.string(), type: z.string(), color: z.string() })
  .meta({ id: 'StageMark' });

export const PipelineMark = z.object({ id: Id, name: z.string() }).meta({ id: 'PipelineMark' });
