import classes from './form-footer.module.css';

/** Class names of a form whose buttons stay visible while it scrolls. */
export const formCss = { form: classes.form, footer: classes.footer };
