import { serializer } from '@suite/chassis';

export const serializeOn = serializer<'faqs' | 'article slugs' | 'sla policies'>();
