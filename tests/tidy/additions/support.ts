/** Routes of the support desk that the specification does not list, each with its reason. */
export const ofSupport: Readonly<Record<string, string>> = {
  'GET /api/support-ticket/categories':
    'tickets, questions and articles are sorted by categories, and somebody has to be able to choose them',
  'GET /api/support-ticket/knowledge/show/{id_or_slug}': 'lists show the first words of an article only',
  'POST /api/support-ticket/knowledge/vote/{id}':
    'the specification counts who was helped, and endpoints.tsv names no route for it',
  'POST /api/support-ticket/knowledge/restore/{id}': 'former revisions are kept to be restored',
  'GET /api/support-ticket/calendars': 'promises count by the hours in which people work',
  'POST /api/support-ticket/calendar/store': 'promises count by the hours in which people work',
  'POST /api/support-ticket/calendar/update/{id}': 'promises count by the hours in which people work',
  'POST /api/support-ticket/calendar/delete/{id}': 'promises count by the hours in which people work',
  'GET /api/support-ticket/sla-policies': 'somebody says what is promised',
  'POST /api/support-ticket/sla-policy/store': 'somebody says what is promised',
  'POST /api/support-ticket/sla-policy/update/{id}': 'somebody says what is promised',
  'POST /api/support-ticket/sla-policy/delete/{id}': 'somebody says what is promised',
};
