/** How widgets are shown to those who look after them. */
import { type Caller, readOne, sql } from '@suite/chassis';
import type { z } from 'zod';
import type { Db } from '../operations.ts';
import { widgetStates } from './widget.rules.ts';
import { Widget, type WidgetDetails } from './widget.schema.ts';

const COUNTERS = sql`
  SELECT json_build_object('submitted', coalesce(sum(submitted), 0), 'merged', coalesce(sum(merged), 0),
    'spam', coalesce(sum(spam), 0), 'refused', coalesce(sum(refused), 0))
  FROM widget_counts
  WHERE widget_counts.workspace_id = widgets.workspace_id AND widget_counts.widget_id = widgets.id`;

/** The token that was given out last. */
const TOKEN = sql`
  SELECT token FROM widget_tokens
  WHERE widget_tokens.workspace_id = widgets.workspace_id AND widget_tokens.widget_id = widgets.id
    AND widget_tokens.expires_at IS NULL`;

/** The columns and computed fields of a widget. */
export const widgetView = (caller: Caller) => ({
  table: 'widgets',
  compute: { counters: COUNTERS, token: TOKEN, allowed_actions: widgetStates.shownTo(caller, 'widgets') },
});

/** A widget as lists show it, after a change. */
export const readWidget = ({ db, caller }: { db: Db; caller: Caller }, id: string) =>
  readOne(db, Widget, id, widgetView(caller));

/** The address of the form with a token. */
export const widgetAddress = (public_url: string, token: string): string => `${public_url}/api/widget/${token}`;

/** A widget with what is to be pasted into a page. */
export async function showWidget(
  work: { db: Db; caller: Caller },
  id: string,
  public_url: string,
): Promise<z.input<typeof WidgetDetails>> {
  const widget = await readWidget(work, id);
  const page_url = widgetAddress(public_url, String(widget.token));
  return { ...widget, page_url, snippet: `<script src="${page_url}/embed.js" async></script>` };
}
