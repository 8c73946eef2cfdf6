/** Search of lists by the employee of their records. */

/** Finds records by the code and the name of their employee. */
export const searchedEmployee = { through: { employee_id: { table: 'employees', texts: ['code', 'name'] } } } as const;
