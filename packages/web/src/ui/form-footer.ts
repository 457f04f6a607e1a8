import classes from './form-footer.module.css';

/** Classes of a form whose buttons stay in sight while it is scrolled. */
export const formCss = { form: classes.form, footer: classes.footer };
