-- Written by "npm run generate" from the declared references to records of other services. Applied after the migrations, again when it changes.
SELECT suite_refers_no_more();
SELECT suite_copies_no_more();
