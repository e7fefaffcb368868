"""Settings of the documentation site: ``sphinx-build -W -n -b html docs build/site`` makes it from ``docs/``.

The pages are Markdown that reads on GitHub as well. ``docs/site_parts/`` holds what Sphinx lacks for that. The built
site loads nothing from other machines.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "make"), str(HERE.parent)]

import endeavor_env  # noqa: E402 (found through the path above)

project = "Endeavor Env"
author = "Endeavor Env maintainers"
copyright = "MIT license"
version = release = endeavor_env.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "sphinx_design",
    "site_parts.clause_links",
    "site_parts.docstrings",
    "site_parts.made_pages",
    "site_parts.notebook_pages",
    "site_parts.replay_frames",
    "site_parts.source_pages",
]
templates_path = ["_templates"]  # the list of versions, which docs/make/versions_site.py fills
exclude_patterns = ["make", "site_parts", "_static", "search.md"]  # docs/searching.md has search.md

# ---------------------------------------------------------------------------------------------------------------- pages

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4  # links to headings, as GitHub makes them
myst_url_schemes = ["http", "https", "mailto"]
suppress_warnings = [
    "myst.header",  # docs/actions.md goes from a heading to its tables without the levels between
]

# -------------------------------------------------------------------------------------------------------- API reference

autodoc_member_order = "bysource"
toc_object_entries_show_parents = "hide"
autodoc_mock_imports = ["stable_baselines3"]  # so that the site needs no PyTorch
python_maximum_signature_line_length = 100
python_use_unqualified_type_names = True
nitpick_ignore_regex = [
    # types of other packages: their references are on other machines, which a build does not ask
    (r"py:.*", r"(collections|gymnasium|minari|numpy|np|npt|pathlib|pettingzoo|stable_baselines3|typing)\..+"),
    # the compiled rules are no part of the reference
    (
        r"py:class",
        r"endeavor_env\.(endeavor\.(exploits|flow|interface|observe|rules|variants)|engine\.kernels|kernels)\..+",
    ),
    # what stands for a class of games, of what is played, or of a result in annotations
    (r"py:class", r"endeavor_env\.agents\.(base\.G_contra|matches\.series\.[CGR])"),
    (r"py:class", r"endeavor_env\.(web\.film\.G|engine\.search\.positions\.P|envs\.\w+\.[CG])|[CGP]"),
    # they have no target: pages of Endeavor say `Board`, `Game` and `GameConfig` for theirs
    (r"py:class", r"endeavor_env\.merchants\.board\.board\.Board|endeavor_env\.engine\.game\.(Game|GameConfig)"),
    # names in annotations that are not evaluated, of functions whose signature is made and of aliases
    (r"py:class", r"AnyGame|AnyConfig|AutoresetMode|BatchOpponent|BoardGiven|Kind|Memory|Path"),
    (r"py:class", r"Callable\[\.\.\.|tuple\[str"),
    # Gymnasium's and PettingZoo's docstrings, which environments inherit, refer to what they do not document
    (r"py:(attr|meth)", r"_np_random.*|set_np_random_through_seed"),
]

# ----------------------------------------------------------------------------------------------------------------- HTML

html_theme = "furo"
html_title = f"{project} {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
