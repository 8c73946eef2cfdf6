import { input, LongText, record } from '@suite/chassis/fields';
import { z } from 'zod';
import { subject } from '../../pipeline/board/summaries.schema.ts';

export const Discussion = record({ ...subject, comment: z.string() }).meta({ id: 'CrmDiscussion' });

export const DiscussionInput = input({ comment: LongText.min(1) });
