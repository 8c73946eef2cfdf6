/** Routes of the support desk that the specification does not list, each with its reason. */
export const ofSupport: Readonly<Record<string, string>> = {
  'GET /api/support-ticket/categories':
    'tickets, questions and articles are sorted by categories, and somebody has to be able to choose them',
};
