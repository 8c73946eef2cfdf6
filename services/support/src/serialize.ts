import { serializer } from '@suite/chassis/database';

export const serializeOn = serializer<'faqs' | 'article slugs' | 'sla policies'>();
