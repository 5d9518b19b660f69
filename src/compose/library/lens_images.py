# SPDX-License-Identifier: Apache-2.0
"""Images of objects in a thin lens."""

field("images of lenses", element="object objects", other="object objects", share=1)

object_distance = quantity(float, "m", "object distance", one="u s_obj", many="object_distances", low=2.0, high=8.0)
image_distance = quantity(float, "m", "image distance", one="s_img v", many="image_distances")
magnification = quantity(float, "1", "magnification", one="m", many="magnifications")
image_focal_length = quantity(float, "m", "focal length of the lens", one="f focal", low=0.5, high=1.0, uniform=True)


@formula
def thin_lens_image(u: object_distance, f: image_focal_length) -> image_distance:
    "by the equation of thin lenses, {f} {u} / ({u} - {f})"
    return f * u / (u - f)


@formula
def magnification_of(s_img: image_distance, u: object_distance) -> magnification:
    "minus {s_img} / {u}"
    return -s_img / u
