/** Actions on FAQs. An editor with the record scope `own` changes their own FAQs only. */
import { recordActions } from '@suite/chassis/operations';

export const faqActions = recordActions('faq', { update: 'faq.update', delete: 'faq.delete' }, { owner: 'created_by' });
