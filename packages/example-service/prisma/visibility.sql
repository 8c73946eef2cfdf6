-- Written by "npm run generate" from the declared visibility of the tables. Applied after the migrations, again when it changes.
SELECT suite_visible('notes', $$CASE (SELECT suite_reach('note')) WHEN 'all' THEN TRUE WHEN 'own' THEN notes.created_by = ANY ((SELECT suite_people('note'))::uuid[]) WHEN 'team' THEN notes.created_by = ANY ((SELECT suite_people('note'))::uuid[]) WHEN 'client' THEN status = 'done' ELSE FALSE END$$);
SELECT suite_visible('pages', $$(SELECT suite_is_staff()) AND EXISTS (SELECT FROM notes WHERE notes.id = pages.note_id)$$);
SELECT suite_assert_visibility(ARRAY['notes', 'pages']);
