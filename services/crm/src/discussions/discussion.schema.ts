import { input, Paragraph, record } from '@suite/chassis';
import { z } from 'zod';
import { subject } from '../board/marks.schema.ts';

export const Discussion = record({ ...subject, comment: z.string() }).meta({ id: 'CrmDiscussion' });

export const DiscussionInput = input({ comment: Paragraph.min(1) });
